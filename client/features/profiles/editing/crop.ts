/** A part of a picture, in its own pixels. */
export type Area = { x: number; y: number; width: number; height: number }

/** Cuts the part out of the picture at `address` and scales it to this size. Throws when the browser can't read it. */
export async function cutOut(
  address: string,
  area: Area,
  size: { width: number; height: number },
): Promise<Blob> {
  const picture = new Image()
  picture.src = address
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = size.width
  canvas.height = size.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t cut pictures.')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, size.width, size.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be cut.'))),
      'image/png',
    )
  })
}
