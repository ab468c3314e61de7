# A panel a case, from histogram_0.csv on: from_us, then the share of the steps of each solver.
stats "times.csv" skip 1 using 3 nooutput
rows = STATS_records
stats "histogram_0.csv" skip 1 nooutput
solvers = STATS_columns - 1
cases = rows / solvers
array label[rows]
stats "times.csv" skip 1 using (label[int($0)+1] = strcol(1), 1) nooutput
set multiplot layout cases,1 margins 0.08,0.98,0.1,0.88 spacing 0.02,0.09
set logscale x
set xrange [0.1:1e5]
set format x "10^{%L}"
set ylabel "share of the steps, %" offset 1
set style fill solid 0.35 noborder
set key autotitle columnheader noenhanced
do for [c=0:cases-1] {
  set title label[c*solvers+1] offset 0,-0.8
  set xlabel (c==cases-1 ? "time of a step, us" : "")
  if (c==0) { set key at screen 0.5,0.985 center top maxrows 1 noenhanced } else { unset key }
  set yrange [0:*]
  plot for [i=2:solvers+1] sprintf("histogram_%d.csv", c) using 1:(100*column(i)) with fillsteps linetype i-1, \
       for [i=2:solvers+1] sprintf("histogram_%d.csv", c) using 1:(100*column(i)) with steps linetype i-1 linewidth 1.5 notitle
}
unset multiplot
