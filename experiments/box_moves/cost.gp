# Cost and violation over iterations, from progress.csv: plan, kappa, round, iteration, cost, augmented, violation.
# The first curves are the widest, so that those below others show.
array kappa[8]
n = 0
stats "plans.csv" skip 1 using (strcol(1) eq "box up" && strcol(2) eq "Abut" ? (n = n + 1, kappa[n] = $4, 1) : 1) nooutput
set xrange [0:*]
set multiplot layout 2,2 margins 0.08,0.975,0.11,0.86 spacing 0.07,0.06
do for [row=5:7:2] {
  do for [plan in "right up"] {
    set title (row==5 ? "box ".plan : "") offset 0,-0.7
    set ylabel (plan eq "right" ? (row==5 ? "cost" : "violation") : "") offset 1
    set xlabel (row==7 ? "iteration" : "")
    if (row==7) { set logscale y; set format y "10^{%L}"; set yrange [1e-7:2] } else { set logscale y; set format y "%g"; set yrange [8:2000] }
    if (row==5 && plan eq "right") { set key at screen 0.5,0.985 center top maxrows 2 noenhanced } else { unset key }
    plot for [i=1:n] "progress.csv" skip 1 using (strcol(1) eq "box ".plan && $2==kappa[i] ? $4 : NaN):(column(row)) \
      with linespoints linetype i linewidth 7-0.9*i pointtype 7 pointsize 0.3 title sprintf("kappa %g", kappa[i])
  }
}
unset multiplot
