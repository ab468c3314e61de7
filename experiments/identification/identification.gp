# fit.csv: iteration, cost, friction, friction off, corner off, dropped. heights.csv: model, time, seen, predicted.
set multiplot layout 1,3 margins 0.06,0.985,0.15,0.9 spacing 0.07,0
set xlabel "iteration"
set logscale y
set format y "10^{%L}"
set title "cost a datum" offset 0,-0.7
plot "fit.csv" skip 1 using 1:2 with linespoints linetype 1 pointsize 0.4 notitle
set title "error" offset 0,-0.7
set key top right
plot "fit.csv" skip 1 using 1:4 with linespoints linetype 1 pointsize 0.4 title "friction, relative", \
     "fit.csv" skip 1 using 1:5 with linespoints linetype 2 pointsize 0.4 title "worst corner, m"
unset logscale y
set format y "%g"
set xlabel "time, s"
set title "a toss held back: height, m" offset 0,-0.7
set key top right
plot "heights.csv" skip 1 using (strcol(1) eq "truth" ? $2 : NaN):3 with points linetype 7 pointsize 0.35 title "seen", \
     "heights.csv" skip 1 using (strcol(1) eq "guess" ? $2 : NaN):4 with lines linetype 2 title "guess", \
     "heights.csv" skip 1 using (strcol(1) eq "found" ? $2 : NaN):4 with lines linetype 1 title "found", \
     "heights.csv" skip 1 using (strcol(1) eq "truth" ? $2 : NaN):4 with lines linetype 3 dashtype (6,5) title "truth"
unset multiplot
