# Cost and violation over iterations, from progress.csv: plan, kappa, round, iteration, cost, augmented, violation.
# Later curves are thinner, so that of curves on one another all are seen.
array kappa[8]
n = 0
stats "plans.csv" skip 1 using (n = n + 1, kappa[n] = $2, 1) nooutput
set xrange [0:*]
set multiplot layout 1,2 margins 0.08,0.97,0.14,0.84 spacing 0.1,0
set xlabel "iteration"
do for [column=5:7:2] {
  set ylabel (column==5 ? "cost" : "violation, m and rad") offset 1
  if (column==5) { set key at screen 0.5,0.97 center top maxrows 1 noenhanced } else { unset key; set logscale y; set format y "10^{%L}" }
  plot for [i=1:n] "progress.csv" skip 1 using ($2==kappa[i] ? $4 : NaN):(column(column)) \
    with linespoints linetype i linewidth (1.6 * (n - i) + 1) pointtype (i % 2 ? 7 : 6) pointsize (i==1 ? 0.4 : 0.3 * (n - i + 1)) \
    title sprintf("kappa %g", kappa[i])
}
unset multiplot
