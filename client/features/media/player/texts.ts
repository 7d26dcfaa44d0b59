/** The controls of a video, which come once it is played. */
export const playerTexts = {
  error: 'This media has an error',
  tryAgain: 'Try again',
  video: 'Video',
  settings: 'Quality and speed',
  quality: 'Quality',
  speed: 'Speed',
  auto: 'Auto',
  autoAt: (lines: number) => `Auto (${lines}p)`,
  lines: (lines: number) => `${lines}p`,
  normal: 'Normal',
  times: (speed: number) => `${speed}×`,
} as const
