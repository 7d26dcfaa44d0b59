// Stand-in for the vendor's Accept.js: a stub that loads the core from its own folder.
;(() => {
  const script = document.currentScript
  let dispatch = null

  const answer = (callback, code, text) => {
    const run = typeof callback === 'string' ? window[callback] : callback
    const response = { messages: { resultCode: 'Error', message: [{ code, text }] } }
    setTimeout(() => run?.(response), 0)
  }

  window.isReady = false
  window.Accept = {
    dispatchData(secureData, callback) {
      if (!script?.src)
        answer(callback, 'E_WC_01', 'Include Accept.js by its address, as a script of its own.')
      else if (dispatch === null) answer(callback, 'E_WC_03', 'Accept.js is not loaded completely.')
      else dispatch(secureData, callback)
    },
  }
  if (!script?.src) return

  document.addEventListener('handshake', (event) => {
    dispatch = event.detail.dispatchData
    window.isReady = true
  })
  const core = document.createElement('script')
  core.src = new URL('AcceptCore.js', script.src).href
  document.head.appendChild(core)
})()
