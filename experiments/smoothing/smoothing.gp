# Rows: slip, lift-off, tipping. Columns of curves.csv: push, way, width, force, value, slope, mean, spread.
set multiplot layout 3,3 margins 0.07,0.985,0.06,0.885 spacing 0.06,0.075
pushes = "slip lift tip"
array kappas[4] = [1e-2, 1e-4, 1e-6, 1e-8]
array sigmas[3] = [0.3, 1, 3]
array rows[3] = [0, 0, 0] # a quick run has not all of them
do for [i=1:3] {
  stats "curves.csv" skip 1 using (strcol(2) eq "values" && abs($3/sigmas[i]-1)<1e-6 ? (rows[i] = rows[i]+1, 1) : 1) nooutput
}
name(i, way) = rows[i] > 0 ? sprintf("sigma %g N, %s", sigmas[i], way) : ""
do for [r=1:3] {
  push = word(pushes, r)
  top = push eq "tip" ? 10 : 20
  slope = push eq "tip" ? 0.3 : 0.1
  set xrange [0:top]
  set xlabel (r == 3 ? "force, N" : "") offset 0,0.5
  unset key
  if (r == 1) { set key at screen 0.07,0.985 left top maxrows 2 noenhanced }
  set yrange [*:*]
  set title (push eq "slip" ? "stick to slip: velocity, m/s" : push eq "lift" ? "lift-off: velocity, m/s" : "tipping: angular velocity, rad/s") offset 0,-0.7
  plot for [i=1:4] "curves.csv" skip 1 using (strcol(1) eq push && strcol(2) eq "path" && abs($3/kappas[i]-1)<1e-6 ? $4 : NaN):5 \
         with lines linetype i title sprintf("kappa %.0e", kappas[i]), \
       "curves.csv" skip 1 using (strcol(1) eq push && strcol(2) eq "exact" ? $4 : NaN):5 with lines linecolor rgb "#222222" dashtype (6,5) title "exact"
  unset key
  set yrange [-0.2*slope:2.6*slope]
  if (push ne "tip") { set yrange [-0.2*slope:1.4*slope] }
  set title "derivative, on the path" offset 0,-0.7
  plot for [i=1:4] "curves.csv" skip 1 using (strcol(1) eq push && strcol(2) eq "path" && abs($3/kappas[i]-1)<1e-6 ? $4 : NaN):6 \
         with lines linetype i notitle, \
       "curves.csv" skip 1 using (strcol(1) eq push && strcol(2) eq "exact" ? $4 : NaN):6 with lines linecolor rgb "#222222" dashtype (6,5) notitle
  if (r == 1) { set key at screen 0.985,0.985 right top maxrows 3 noenhanced }
  set title "derivative, randomised" offset 0,-0.7
  plot for [i=1:3] "curves.csv" skip 1 using (strcol(1) eq push && strcol(2) eq "values" && abs($3/sigmas[i]-1)<1e-6 ? $4 : NaN):6 \
         with lines linetype i linewidth 1 title name(i, "values"), \
       for [i=1:3] "curves.csv" skip 1 using (strcol(1) eq push && strcol(2) eq "derivatives" && abs($3/sigmas[i]-1)<1e-6 ? $4 : NaN):6 \
         with lines linetype i linewidth 2.5 title name(i, "derivatives"), \
       "curves.csv" skip 1 using (strcol(1) eq push && strcol(2) eq "exact" ? $4 : NaN):6 with lines linecolor rgb "#222222" dashtype (6,5) notitle
}
unset multiplot
