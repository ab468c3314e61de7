# Energy errors of chains against the timestep: mechanisms.csv, and peer_points.csv with 1e9 for divergence,
# which is drawn as a cross at the upper edge.
set multiplot layout 1,2 margins 0.08,0.985,0.15,0.9 spacing 0.07,0
set logscale xy
set xrange [0.8:70]
set format y "10^{%T}"
set xtics (1, 2, 5, 10, 20, 50)
set xlabel "timestep, ms"
set key bottom right
set yrange [1e-6:10]
do for [m in "chain5 chain20"] {
  set title m offset 0,-0.7
  set ylabel (m eq "chain5" ? "energy error" : "") offset 1
  engines = m eq "chain5" ? "'MuJoCo Euler' 'MuJoCo RK4' DART Bullet" : "'MuJoCo Euler' 'MuJoCo RK4'"
  plot "mechanisms.csv" skip 1 using (strcol(1) eq m ? 1e3*$2 : NaN):3 with linespoints linewidth 2.5 title "Abut", \
    for [e in engines] "peer_points.csv" skip 1 using (strcol(1) eq m && strcol(2) eq e && strcol(3) eq "energy" ? 1e3*$4 : NaN):($5 > 7 ? NaN : $5) with linespoints title e, \
    "peer_points.csv" skip 1 using (strcol(1) eq m && strcol(3) eq "energy" && $5 > 7 ? 1e3*$4 : NaN):(7) with points pointtype 2 pointsize 1.5 linecolor "black" title "diverged"
}
unset multiplot
