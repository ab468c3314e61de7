# Depth over time, from falls.csv: falls, clearance, time, depth; left in space, right planar.
stats "insertions.csv" skip 1 using 2 nooutput
set multiplot layout 1,2 margins 0.08,0.985,0.14,0.9 spacing 0.06,0
set xrange [0:0.6]
set xlabel "time, s"
set yrange [*:*] reverse
set key top right
do for [kind in "space planar"] {
  set title (kind eq "space" ? "in space" : "in the plane, leaned over") offset 0,-0.7
  set ylabel (kind eq "space" ? "depth below the rim, m" : "") offset 1
  plot for [i=1:4] clearance=(10**(-i)) "falls.csv" skip 1 using (strcol(1) eq kind && abs($2/clearance-1)<1e-6 ? $3 : NaN):4 \
    with lines linetype i title sprintf("clearance %g", clearance)
}
unset multiplot
