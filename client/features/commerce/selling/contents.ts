const count = (number: number, one: string) => `${number} ${one}${number === 1 ? '' : 's'}`

/** What is inside, in words: `12 photos, 3 videos`. */
export function contentsOf({ photoCount, videoCount }: { photoCount: number; videoCount: number }): string {
  if (photoCount + videoCount === 0) return 'Nothing inside yet'
  return [photoCount > 0 && count(photoCount, 'photo'), videoCount > 0 && count(videoCount, 'video')]
    .filter(Boolean)
    .join(', ')
}
