# Heights of the torso after a drop: heights.csv.
set multiplot layout 1,3 margins 0.08,0.985,0.15,0.9 spacing 0.05,0
set xrange [0:1.5]
set yrange [-0.4:0.1]
set xlabel "time, s"
set key bottom right
do for [m in "own-ant A1 Atlas"] {
  set title m offset 0,-0.7
  set ylabel (m eq "own-ant" ? "height above the start, m" : "") offset 1
  plot for [h in "0.05 0.02 0.01 0.005 0.002"] "heights.csv" skip 1 using (strcol(1) eq m && strcol(2) eq "Abut" && abs($3 - h) < 1e-6 ? $4 : NaN):6 with lines title sprintf("%g Hz", 1.0 / h), \
    "heights.csv" skip 1 using (strcol(1) eq m && strcol(2) eq "MuJoCo" && abs($3 - 0.01) < 1e-6 ? $4 : NaN):6 with lines dashtype 2 linecolor "black" title "MuJoCo, 100 Hz"
}
unset multiplot
