/** The name of the AVIF that is served in place of this WebP picture to those who can show it; null for other files. */
export function avifOf(name: string): string | null {
  return name.endsWith('.webp') ? name.replace(/webp$/, 'avif') : null
}

/** Whether an `Accept` header names AVIF (RFC 9110 §12.5.1); a browser that can't show it never does. */
export function acceptsAvif(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'image/avif' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
