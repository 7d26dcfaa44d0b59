import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { BlurPreview } from '../../../ui/BlurPreview.tsx'
import styles from './EmbedFrame.module.css'
import { embedTexts } from './texts.ts'

const EMBED_PREFIX = 'https://www.redgifs.com/ifr/'

/** Width over height while nobody knows the gif's own: most are recorded upright. */
const USUAL_RATIO = 9 / 16

type EmbedFrameProps = {
  /** An external gif: `redGif` is its embed address. */
  media: { redGif: string; title: string; preview: string; width: number; height: number }
  /** Loads it at once, on a page that was opened to see it; else only a tap does. */
  open?: boolean
  /** Fills the box around it, instead of having its own proportions. */
  fill?: boolean
}

/** A gif that is shown from RedGifs. Nothing is asked of there before it is `open` or tapped; its box is there from the start. */
export function EmbedFrame({ media, open = false, fill = false }: EmbedFrameProps) {
  const { redGif, title, preview, width, height } = media
  const [playing, setPlaying] = useState<string | null>(null)
  const name = title || embedTexts.gif
  const known = redGif.startsWith(EMBED_PREFIX)
  return (
    <div
      className={styles.box}
      data-fill={fill || undefined}
      style={fill ? {} : { aspectRatio: width > 0 && height > 0 ? width / height : USUAL_RATIO }}
    >
      <BlurPreview hash={preview} />
      {!known ? (
        <p className={styles.unknown}>{embedTexts.error}</p>
      ) : open || playing === redGif ? (
        <iframe
          key={redGif}
          className={styles.frame}
          src={redGif}
          title={name}
          allow="autoplay; fullscreen"
          sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
        />
      ) : (
        <button type="button" className={styles.start} onClick={() => setPlaying(redGif)}>
          <span className={styles.play}>
            <IconPlayerPlayFilled size={28} role="img" aria-label={embedTexts.play(name)} />
          </span>
          <span className={styles.note}>{embedTexts.loads}</span>
        </button>
      )}
    </div>
  )
}
