// Runs before the first paint, so that the page never shows the wrong scheme. Same key as ui/theme/scheme.ts.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('color-scheme')
  } catch {
    // Storage may be closed to us; then the system decides.
  }
  if (chosen !== 'light' && chosen !== 'dark') {
    chosen = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', chosen)
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', chosen === 'light' ? '#faf7f4' : '#100e0d')
})()
