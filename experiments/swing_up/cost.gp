# Cost and violation over iterations, from progress.csv: plan, kappa, round, iteration, cost, augmented, violation.
set multiplot layout 1,2 margins 0.08,0.97,0.14,0.93 spacing 0.1,0.06
unset key
set xlabel "iteration"
set xrange [0:*]
set ylabel "cost" offset 1
plot "progress.csv" skip 1 using 4:5 with linespoints pointtype 7 pointsize 0.5
set logscale y
set format y "10^{%L}"
set ylabel "violation"
plot "progress.csv" skip 1 using 4:7 with linespoints pointtype 7 pointsize 0.5
unset multiplot
