# Places over time, from motion.csv: body, time, x, y, z.
set multiplot layout 1,2 margins 0.08,0.985,0.14,0.88 spacing 0.09,0
set xlabel "time, s"
set key at graph 0.97,0.82 right
bodies = "object left right"
do for [column=3:5:2] {
  set ylabel (column==3 ? "x, m" : "z, m") offset 1
  if (column==5) { unset key }
  plot for [i=1:3] "motion.csv" skip 1 using (strcol(1) eq word(bodies,i) ? $2 : NaN):(column(column)) \
    with linespoints linetype i pointtype 7 pointsize 0.5 title word(bodies,i)
}
unset multiplot
