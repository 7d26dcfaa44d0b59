import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDuration, formatSeconds } from '../../../ui/format.ts'
import type { Media } from '../api.ts'
import { useRenewed } from '../parts/use-renewed.ts'
import { PosterError, useTakePoster } from './api.ts'
import styles from './Preview.module.css'
import { editTexts as texts } from './texts.ts'

/** How finely a moment can be chosen, and how far before the end the last one is, in seconds. */
const STEP = 0.1

type PosterFrameProps = { media: Media; onDone: () => void; onCancel: () => void }

/** Chooses the frame of a video that stands for it before it is played. */
export function PosterFrame({ media: given, onDone, onCancel }: PosterFrameProps) {
  const { media, version, broken, renew, worked, retry } = useRenewed(given)
  const take = useTakePoster(given)
  const video = useRef<HTMLVideoElement>(null)
  const scrubber = useRef<HTMLInputElement>(null)
  useEffect(() => scrubber.current?.focus({ preventScroll: true }), [])
  const [seconds, setSeconds] = useState(0)
  const [length, setLength] = useState(given.duration ?? 0)
  const last = Math.max(0, Math.floor((length - STEP) / STEP) * STEP)

  const seek = (to: number) => {
    setSeconds(to)
    if (video.current) video.current.currentTime = to
  }
  return (
    <div className={styles.tool}>
      <div className={styles.frame} style={{ aspectRatio: `${media.width} / ${media.height}` }}>
        <video
          key={version}
          ref={video}
          src={media.url ?? ''}
          muted
          playsInline
          preload="auto"
          aria-label={texts.poster.shown(formatDuration(seconds))}
          onLoadedMetadata={(event) => {
            worked()
            setLength(Math.min(event.currentTarget.duration, given.duration ?? Number.POSITIVE_INFINITY))
            event.currentTarget.currentTime = seconds
          }}
          onError={renew}
        />
      </div>
      {broken ? (
        <>
          <FormError>{texts.poster.error}</FormError>
          <Button variant="default" onClick={retry}>
            {texts.poster.tryAgain}
          </Button>
        </>
      ) : (
        <label className={styles.scrubber}>
          <span className={styles.moment}>
            <span>{texts.poster.frame}</span>
            <span>{formatSeconds(seconds)}</span>
          </span>
          <input
            ref={scrubber}
            type="range"
            min={0}
            max={last}
            step={STEP}
            value={seconds}
            disabled={take.isPending}
            onChange={(event) => seek(event.currentTarget.valueAsNumber)}
            aria-valuetext={formatSeconds(seconds)}
          />
        </label>
      )}
      <div className={styles.buttons}>
        <Button
          loading={take.isPending}
          disabled={broken}
          onClick={() => take.mutate(seconds, { onSuccess: onDone })}
        >
          {texts.poster.use}
        </Button>
        <Button variant="default" onClick={onCancel} disabled={take.isPending}>
          {texts.poster.cancel}
        </Button>
      </div>
      <p className={styles.waiting} role="status">
        {take.isPending && texts.poster.preparing}
      </p>
      <FormError>{take.isError ? reasonOf(take.error) : null}</FormError>
    </div>
  )
}

function reasonOf(error: Error): string {
  return error instanceof PosterError ? error.message : errorMessage(error)
}
