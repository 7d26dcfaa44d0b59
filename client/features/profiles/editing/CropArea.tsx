import 'react-easy-crop/react-easy-crop.css'
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import type { Area } from './crop.ts'
import styles from './editing.module.css'
import { editingTexts as texts } from './texts.ts'

type CropAreaProps = {
  address: string
  aspect: number
  round: boolean
  onArea: (area: Area) => void
  /** The browser can't show this file. */
  onUnreadable: () => void
}

/** Moves and scales a picture under a frame, by pointer, wheel or arrow keys. */
export default function CropArea({ address, aspect, round, onArea, onUnreadable }: CropAreaProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  return (
    <>
      <div className={styles.cropArea} data-wide={aspect > 1 || undefined}>
        <Cropper
          image={address}
          crop={crop}
          zoom={zoom}
          aspect={aspect}
          // A wide frame takes the whole width, however narrow the screen.
          objectFit={aspect > 1 ? 'horizontal-cover' : 'contain'}
          cropShape={round ? 'round' : 'rect'}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => onArea(pixels)}
          classes={{ containerClassName: styles.cropRoom ?? '', cropAreaClassName: styles.cropFrame ?? '' }}
          disableAutomaticStylesInjection
          cropperProps={{ role: 'group', 'aria-label': texts.move }}
          mediaProps={{ onError: onUnreadable, alt: '' }}
        />
      </div>
      <label className={styles.zoom}>
        {texts.zoom}
        <input
          type="range"
          min={1}
          max={3}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
        />
      </label>
    </>
  )
}
