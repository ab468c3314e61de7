# The boxes and their frame at each named configuration: waypoints.csv, edges.csv.
stats "waypoints.csv" skip 1 using 2 nooutput
panels = STATS_records
array label[panels]
stats "waypoints.csv" skip 1 using (label[int($0)+1] = strcol(1), 1) nooutput
unset key
unset border
unset tics
unset grid
set view 65,32,0.85
set view equal xyz
set xrange [-0.95:1.5]
set yrange [-0.8:1.6]
set zrange [-0.75:1.75]
set xyplane at -0.75
L = 0.38
rows = panels > 4 ? 2 : 1
set multiplot layout rows,(panels+rows-1)/rows margins 0.0,0.98,0.0,0.95 spacing 0.0,0.02
do for [c=0:panels-1] {
  set title label[c+1] offset 0,-1.2
  splot "edges.csv" using ($1==c && $3==0 ? $4 : 1/0):5:6:($7-$4):($8-$5):($9-$6) skip 1 with vectors nohead linecolor rgb "#c9ced6" linewidth 0.8, \
    "edges.csv" using ($1==c && $2==0 && $3==1 ? $4 : 1/0):5:6:($7-$4):($8-$5):($9-$6) skip 1 with vectors nohead linecolor rgb "#556677" linewidth 1.5, \
    "edges.csv" using ($1==c && $2==1 && $3==1 ? $4 : 1/0):5:6:($7-$4):($8-$5):($9-$6) skip 1 with vectors nohead linecolor rgb "#228833" linewidth 1.5, \
    "waypoints.csv" using (int($0)==c ? $4 : 1/0):5:6:(L*$10):(L*$11):(L*$12) skip 1 with vectors head size 0.06,25 filled linecolor rgb "#ee6677" linewidth 2.2, \
    "waypoints.csv" using (int($0)==c ? $4 : 1/0):5:6:(L*$13):(L*$14):(L*$15) skip 1 with vectors head size 0.06,25 filled linecolor rgb "#ee6677" linewidth 2.2, \
    "waypoints.csv" using (int($0)==c ? $4 : 1/0):5:6:(L*$7):(L*$8):(L*$9) skip 1 with vectors head size 0.06,25 filled linecolor rgb "#4477aa" linewidth 2.6, \
    "waypoints.csv" using (int($0)==c ? $4 : 1/0):5:6 skip 1 with points pointtype 7 pointsize 0.9 linecolor rgb "#555555"
}
unset multiplot
