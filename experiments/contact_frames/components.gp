# Normal (left) and point (right) over the path, a row a component; a curve an exactness. Columns of path.csv: s, then
# for each: px py pz nx ny nz tx ty tz length.
stats "path.csv" skip 1 nooutput
curves = (STATS_columns - 1) / 10
stats "waypoints.csv" skip 1 using 2 nooutput
panels = STATS_records
array label[panels]
stats "waypoints.csv" skip 1 using (label[int($0)+1] = strcol(1), 1) nooutput
array name[curves]
do for [c=0:curves-1] {
  stats "path.csv" every ::0::0 using (name[c+1] = strcol(2+10*c)[4:*], 1) nooutput
  if (name[c+1][1:5] eq "kappa") { name[c+1] = "kappa ".name[c+1][7:*] }
}
set multiplot layout 3,2 margins 0.1,0.985,0.17,0.92 spacing 0.075,0.035
set xrange [0:panels-1]
axes = "x y z"
do for [k=1:3] {
  do for [side=0:1] {
    set ylabel (side==0 ? "normal ".word(axes,k) : "point ".word(axes,k).", m") offset 1.2
    set yrange [*:*]
    set offsets 0,0,0.06,0.06
    unset xtics
    set xtics 1 format ""
    if (k==3) {
      set xtics format "" rotate by 30 right
      do for [i=1:panels] { set xtics add (label[i] i-1) }
    }
    if (k==1 && side==0) {
      set key at screen 0.5,0.975 center top maxrows 1 noenhanced
    } else {
      unset key
    }
    plot for [c=0:curves-1] "path.csv" using 1:(column(2+10*c+k-1+3*(1-side))) skip 1 with lines linetype c+1 \
      title name[c+1]
  }
}
unset multiplot
