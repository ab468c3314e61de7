# descent.csv: iteration, runs, rms, size off. lifts.csv: cam, angle, wanted, lift. outlines.csv: cam, part, x, z.
set multiplot layout 1,3 margins 0.06,0.985,0.15,0.9 spacing 0.07,0
set xlabel "iteration"
set logscale y
set format y "10^{%L}"
set title "error, m" offset 0,-0.7
set key bottom left
plot "descent.csv" skip 1 using 1:3 with linespoints linetype 1 pointsize 0.4 title "lift, rms", \
     "descent.csv" skip 1 using 1:4 with linespoints linetype 2 pointsize 0.4 title "size farthest off"
unset logscale y
set format y "%g"
set xlabel "angle, rad"
set title "lift, m" offset 0,-0.7
set key top left
set xrange [1.8:8.3]
plot "lifts.csv" skip 1 using (strcol(1) eq "guess" ? $2 : NaN):4 with lines linetype 2 title "guess", \
     "lifts.csv" skip 1 using (strcol(1) eq "found" ? $2 : NaN):4 with lines linetype 1 title "found", \
     "lifts.csv" skip 1 using (strcol(1) eq "found" ? $2 : NaN):3 with lines linetype 3 dashtype (6,5) title "wanted"
set xlabel "x, m"
set title "base and nose, z over x, m" offset 0,-0.7
# One unit is as long on either axis: the panel is 0.262 of the width and 0.75 of the height.
tall = 0.25
set yrange [-0.145:-0.145+tall]
wide = tall*0.262*width/(0.75*height)
set xrange [-wide/2:wide/2]
plot for [p=0:1] "outlines.csv" skip 1 using (strcol(1) eq "guess" && $2 == p ? $3 : NaN):4 with lines linetype 2 notitle, \
     for [p=0:1] "outlines.csv" skip 1 using (strcol(1) eq "found" && $2 == p ? $3 : NaN):4 with lines linetype 1 notitle, \
     for [p=0:1] "outlines.csv" skip 1 using (strcol(1) eq "wanted" && $2 == p ? $3 : NaN):4 with lines linetype 3 dashtype (6,5) notitle
unset multiplot
