/** The full-screen viewer. */
export const viewerTexts = {
  label: 'Media, full screen',
  error: 'This media has an error',
  tryAgain: 'Try again',
  close: 'Close (Esc)',
  zoom: 'Zoom (z)',
  previous: 'Previous (left arrow)',
  next: 'Next (right arrow)',
  photo: 'Photo',
  follow: 'Follow',
  following: 'Following',
  viewMedia: 'View Media',
  unlock: 'Unlock',
  unlockFor: (price: string) => `Unlock for ${price}`,
  lockedPhoto: 'This photo is locked',
  lockedVideo: 'This video is locked',
} as const
