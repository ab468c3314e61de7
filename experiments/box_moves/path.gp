# Place and force over time, from motion.csv: move, time, x, z, force x, force z.
set multiplot layout 1,2 margins 0.08,0.985,0.14,0.88 spacing 0.09,0
set xlabel "time, s"
set key top left
set title "along its way" offset 0,-0.7
set ylabel "m" offset 1
plot "motion.csv" skip 1 using (strcol(1) eq "box right" ? $2 : NaN):3 with linespoints linetype 1 pointtype 7 title "right: x", \
  "motion.csv" skip 1 using (strcol(1) eq "box up" ? $2 : NaN):4 with linespoints linetype 2 pointtype 7 title "up: z"
set title "force" offset 0,-0.7
set ylabel "N" offset 1
set key top right
# The last row, the end, has no force: that of the last step goes on to it.
held = NaN
force(at) = valid(at) ? (held = column(at)) : held
plot "motion.csv" skip 1 using (strcol(1) eq "box right" ? $2 : NaN):(force(5)) with steps linetype 1 title "right: x", \
  "motion.csv" skip 1 using (strcol(1) eq "box right" ? $2 : NaN):(force(6)) with steps linetype 3 title "right: z", \
  "motion.csv" skip 1 using (strcol(1) eq "box up" ? $2 : NaN):(force(6)) with steps linetype 2 title "up: z"
unset multiplot
