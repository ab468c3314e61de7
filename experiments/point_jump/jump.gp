# Left: over the tilts of a step; right: the same by decades of a positive tilt. Columns: tilt, queries, steps; a kappa
# has one colour.
stats "plane.csv" skip 1 nooutput
columns = STATS_columns
half = (columns - 1) / 2
set key noenhanced
# "query_kappa_1e-04" as a reader says it.
array label[columns]
do for [i=2:columns] {
  stats "plane.csv" every ::0::0 using (label[i] = strcol(i), 1) nooutput
  at = strstrt(label[i], "_")
  label[i] = label[i][1:at-1].", ".(label[i][at+1:at+5] eq "kappa" ? "kappa ".label[i][at+7:*] : label[i][at+1:*])
}
set multiplot layout 2,2 margins 0.075,0.975,0.1,0.86 spacing 0.07,0.12
set yrange [-0.6:0.6]
do for [place in "plane box"] {
  do for [side in "linear decades"] {
    set title (place eq "plane" ? "on a plane" : "on a box 0.3 m to the side") offset 0,-0.7
    set ylabel (side eq "linear" ? "contact point, m" : "") offset 1
    set xlabel (place eq "plane" ? "" : "tilt before the step, rad")
    unset key
    if (side eq "linear") {
      unset logscale x
      set xrange [-0.002:0.002]
      set xtics 0.001
      set format x "%g"
      if (place eq "plane") { set key at screen 0.5,0.985 center top maxrows 2 noenhanced }
    } else {
      set logscale x
      set xrange [1e-10:0.002]
      set xtics 100
      set format x "10^{%L}"
    }
    plot for [i=2:half+1] place.".csv" skip 1 using 1:i with lines linetype i-1 dashtype (9,7) title label[i], \
         for [i=half+2:columns] place.".csv" skip 1 using 1:i with lines linetype i-half-1 linewidth (i==half+2 ? 4 : 1.8) title label[i]
  }
}
unset multiplot
