# slide.csv: method, angle, way, drift. push.csv: method, force, speed, Coulomb's. force.csv: method, time, force.
set multiplot layout 1,3 margins 0.07,0.985,0.13,0.66 spacing 0.07,0.06
set key at screen 0.02,0.985 left top maxrows 3 noenhanced
array names[5] = ["single-level", "single-level pyramid", "point-ncp", "lcp", "convex"]
set xlabel "angle, degrees" offset 0,0.5
set title "beside its line, m" offset 0,-0.7
set logscale y
set format y "10^{%T}"
plot for [i=1:5] "slide.csv" skip 1 using (strcol(1) eq names[i] ? $2 : NaN):(abs($4) < 1e-17 ? 1e-17 : abs($4)) with linespoints linetype i pointsize 0.5 title names[i]
unset logscale y
set format y "%g"
set xlabel "force, N"
set title "speed after a step, m/s"
unset key
plot for [i=1:5] "push.csv" skip 1 using (strcol(1) eq names[i] ? $2 : NaN):3 with lines linetype i notitle, \
     "push.csv" skip 1 using (strcol(1) eq "single-level" ? $2 : NaN):4 with lines linecolor rgb "#222222" dashtype (6,5) notitle
set key at screen 0.985,0.985 right top maxrows 3 noenhanced
set xlabel "time, s"
set title "contact force, weights (to 12)"
set yrange [0:12]
array balls[5] = ["single-level", "lcp", "convex 0.02 s", "convex 0.05 s", "convex 0.1 s"]
plot for [i=1:5] "force.csv" skip 1 using (strcol(1) eq balls[i] ? $2 : NaN):3 with lines linetype i title "ball: ".balls[i]
unset multiplot
