import { IconPhotoScan } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Media } from '../api.ts'
import { WallTile } from '../parts/wall/WallTile.tsx'
import { texts as uploadTexts } from '../upload/texts.ts'
import styles from './Preview.module.css'
import { ReplaceFile } from './ReplaceFile.tsx'
import type { Replacing } from './replacement.ts'
import { editTexts as texts } from './texts.ts'

const EmbedFrame = lazyPart(() => import('../embed/EmbedFrame.tsx').then((module) => module.EmbedFrame))
const VideoPlayer = lazyPart(() => import('../player/VideoPlayer.tsx').then((module) => module.VideoPlayer))
const PosterFrame = lazyPart(() => import('./PosterFrame.tsx').then((module) => module.PosterFrame))

/** The narrowest that something is shown, width over height. */
const NARROWEST = 9 / 16

/** The item as it is now, never so high that what can be done with it is out of sight. */
function Preview({ media }: { media: Media }) {
  const navigate = useNavigate()
  const ratio = Math.max(NARROWEST, media.width / media.height)
  // Another file is another picture: nothing of the old one stays.
  const key = `${media.preview}${media.width}${media.height}${media.poster ?? ''}`
  return (
    <div className={styles.stage} style={{ '--ratio': ratio } as object}>
      {media.redGif ? (
        <EmbedFrame media={media} />
      ) : media.type === 'video' ? (
        <VideoPlayer key={key} media={media} />
      ) : (
        <WallTile
          key={key}
          media={media}
          onOpen={() => void navigate(paths.media(media._id))}
          ratio={ratio}
          sizes="(min-width: 62em) 26rem, 100vw"
          eager
        />
      )}
    </div>
  )
}

type EditablePreviewProps = {
  media: Media
  replacing: Replacing
  /** Its owner alone chooses the poster. */
  own: boolean
}

/** The item as it is now, with what changes its picture: another file, or another frame of a video as poster. */
export function EditablePreview({ media, replacing, own }: EditablePreviewProps) {
  const [poster, setPoster] = useState<'shown' | 'choosing' | 'chosen'>('shown')
  const opener = useRef<HTMLButtonElement>(null)
  const opened = useRef(false)
  useEffect(() => {
    // Closing the tool returns the focus to where it was opened.
    if (poster !== 'choosing' && opened.current) opener.current?.focus({ preventScroll: true })
    opened.current = poster === 'choosing'
  }, [poster])
  const hosted = media.redGif === ''
  return (
    <div className={styles.preview}>
      {poster === 'choosing' ? (
        <PosterFrame media={media} onDone={() => setPoster('chosen')} onCancel={() => setPoster('shown')} />
      ) : (
        <>
          <Preview media={media} />
          {media.damaged && <p className={styles.damaged}>{uploadTexts.damaged}</p>}
          <p className={styles.done} role="status">
            {poster === 'chosen' && texts.preview.posterTaken}
          </p>
          <LinkButton to={paths.media(media._id)} variant="default">
            {texts.preview.view}
          </LinkButton>
          {own && hosted && media.type === 'video' && (
            <Button
              ref={opener}
              variant="default"
              leftSection={<IconPhotoScan size={18} stroke={1.75} aria-hidden />}
              onClick={() => setPoster('choosing')}
            >
              {texts.preview.choosePoster}
            </Button>
          )}
        </>
      )}
      {hosted && poster !== 'choosing' && <ReplaceFile media={media} replacing={replacing} />}
    </div>
  )
}
