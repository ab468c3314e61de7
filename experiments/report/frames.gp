# Solids in panels, from NAME.csv: panel, label, colour, outlined, corners, then x and y of four corners; one corner is a
# dot. Polygons are sorted from far to near.
stats name.".csv" skip 1 using 1 nooutput
panels = int(STATS_max) + 1
n = STATS_records
array panel[n]; array label[panels]; array colour[n]; array outlined[n]; array corners[n]
array x1[n]; array y1[n]; array x2[n]; array y2[n]; array x3[n]; array y3[n]; array x4[n]; array y4[n]
stats name.".csv" skip 1 using (panel[int($0)+1]=$1, label[int($1)+1]=strcol(2), colour[int($0)+1]=$3, \
  outlined[int($0)+1]=$4, corners[int($0)+1]=$5, x1[int($0)+1]=$6, y1[int($0)+1]=$7, x2[int($0)+1]=$8, \
  y2[int($0)+1]=$9, x3[int($0)+1]=$10, y3[int($0)+1]=$11, x4[int($0)+1]=$12, y4[int($0)+1]=$13, 1) nooutput
unset key
unset grid
unset tics
set border 31 linecolor rgb "#cccccc"
set xrange [-1:1]
set yrange [-1:1]
set title font ",12" offset 0,-0.7
# Panels are square, with 26 units for a title above each.
columns_of_panels = panels
do for [c=panels:1:-1] {
  rows = (panels+c-1)/c
  if (abs(width*1.0/c - (height*1.0/rows - 26)) < 0.5) { columns_of_panels = c }
}
rows = (panels+columns_of_panels-1)/columns_of_panels
set multiplot layout rows,columns_of_panels margins 3.0/width,1-3.0/width,3.0/height,1-24.0/height \
  spacing 6.0/width,26.0/height
do for [p=1:panels] {
  do for [i=1:n] {
    if (panel[i] == p-1 && corners[i] > 1) {
      fill = sprintf("#%06x", colour[i])
      edge = outlined[i] == 1 ? "#555c66" : fill
      set object i polygon from x1[i],y1[i] to x2[i],y2[i] to x3[i],y3[i] to x4[i],y4[i] to x1[i],y1[i] \
        clip front fillcolor rgb fill fillstyle solid 1.0 border linecolor rgb edge linewidth 0.4
    }
    if (panel[i] == p-1 && corners[i] == 1) {
      set object i circle at x1[i],y1[i] size 0.022 front fillcolor rgb "#111111" fillstyle solid 1.0 noborder
    }
  }
  set title label[p] noenhanced
  plot NaN
  unset object
}
unset multiplot
