/** The build of hls.js without subtitles, separate audio and DRM; the package types only the full one. */
declare module 'hls.js/light' {
  export { default, type LoadPolicy } from 'hls.js'
}
