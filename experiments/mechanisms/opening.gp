# Openings of loops against the timestep: mechanisms.csv, and peer_points.csv with 1e9 for divergence,
# which is drawn as a cross at the upper edge.
set multiplot layout 1,2 margins 0.08,0.985,0.15,0.9 spacing 0.07,0
set logscale xy
set xrange [0.8:70]
set format y "10^{%T}"
set xtics (1, 2, 5, 10, 20, 50)
set xlabel "timestep, ms"
set key center right
set yrange [1e-16:10]
do for [m in "four-bar ring20"] {
  set title m offset 0,-0.7
  set ylabel (m eq "four-bar" ? "opening, m" : "") offset 1
  engines = m eq "four-bar" ? "'MuJoCo Euler' 'MuJoCo stiff' DART Bullet" : "'MuJoCo Euler'"
  plot "mechanisms.csv" skip 1 using (strcol(1) eq m ? 1e3*$2 : NaN):5 with linespoints linewidth 2.5 title "Abut", \
    for [e in engines] "peer_points.csv" skip 1 using (strcol(1) eq m && strcol(2) eq e && strcol(3) eq "opening_mm" ? 1e3*$4 : NaN):($5 > 5e3 ? NaN : 1e-3*$5) with linespoints title e, \
    "peer_points.csv" skip 1 using (strcol(1) eq m && strcol(3) eq "opening_mm" && $5 > 5e3 ? 1e3*$4 : NaN):(5) with points pointtype 2 pointsize 1.5 linecolor "black" title "diverged"
}
unset multiplot
