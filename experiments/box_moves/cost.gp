# Cost and violation over iterations, from progress.csv: plan, kappa, round, iteration, cost, augmented, violation. The
# cost is that of the forces and the distance, without the penalty of the goal, so that it rises where the goal is paid
# for. Later curves are thinner, so that of curves on one another all are seen.
array kappa[8]
n = 0
stats "plans.csv" skip 1 using (strcol(1) eq "box up" && strcol(2) eq "Abut" ? (n = n + 1, kappa[n] = $4, 1) : 1) nooutput
set xrange [0:*]
set multiplot layout 2,2 margins 0.08,0.97,0.11,0.83 spacing 0.08,0.06
do for [row=5:7:2] {
  do for [plan in "right up"] {
    set title (row==5 ? "box ".plan : "") offset 0,-0.7
    set ylabel (plan eq "right" ? (row==5 ? "cost" : "violation") : "") offset 1
    set xlabel (row==7 ? "iteration" : "")
    set logscale y
    unset label
    if (row==7) {
      set format y "10^{%L}"; set yrange [1e-7:2]
    } else {
      set format y "%g"; set yrange [8:1000]
      set label "at rest, goal missed: 11\nreaching it costs more" at graph 0.03,0.93 font ",12" textcolor rgb "#555555"
    }
    if (row==5 && plan eq "right") { set key at screen 0.5,0.985 center top maxrows 2 noenhanced } else { unset key }
    plot for [i=1:n] "progress.csv" skip 1 using (strcol(1) eq "box ".plan && $2==kappa[i] ? $4 : NaN):(column(row)) \
      with linespoints linetype i linewidth (n - i + 1) pointtype (i % 2 ? 7 : 6) pointsize 0.4 title sprintf("kappa %g", kappa[i])
  }
}
unset multiplot
