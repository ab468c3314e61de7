# Cost and violation of plans over iterations, from progress.csv: plan, kappa, round, iteration, cost, augmented,
# violation.
array plan[8]
n = 0
stats "progress.csv" skip 1 using (n == 0 || plan[n] ne strcol(1) ? (n = n + 1, plan[n] = strcol(1), 1) : 1) nooutput
set multiplot layout 1,2 margins 0.08,0.97,0.14,0.93 spacing 0.1,0.06
set key top right noenhanced
set xlabel "iteration"
set xrange [0:*]
set logscale y
set ylabel "cost" offset 1
plot for [i=1:n] "progress.csv" skip 1 using (strcol(1) eq plan[i] ? $4 : NaN):5 \
  with linespoints pointtype 7 pointsize 0.5 title plan[i]
set format y "10^{%L}"
set ylabel "violation"
unset key
plot for [i=1:n] "progress.csv" skip 1 using (strcol(1) eq plan[i] ? $4 : NaN):7 \
  with linespoints pointtype 7 pointsize 0.5
unset multiplot
