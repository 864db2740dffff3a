// Main: fill the page, then say when everything is drawn.

for (const point of data.points) point.row = rowOfPoint(point);
state.thread = longest();
fillHeader();
fillLeads();
fillLegend();
if (rows.n) {
  drawIcicle();
  drawStrip();
  drawThreads();
  drawMetrics();
  drawMatrix();
  drawPath();
}
drawScores();
drawMachine();
drawModels();
fillEstimates();
fillQuality();
fillScaling();
fillComparison();
fillDetail();
fillBehaviour();
fillPhases();
fillPoints();
fillProvenance();
document.documentElement.dataset.drawn = String(Math.round(performance.now()));
