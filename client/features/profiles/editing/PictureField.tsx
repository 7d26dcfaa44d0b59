import { IconPhotoPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { type Area, cutOut } from './crop.ts'
import styles from './editing.module.css'
import { editingTexts as texts } from './texts.ts'

const CropArea = lazyPart(
  () => import('./CropArea.tsx').then((module) => module.default),
  <Skeleton width="100%" height="18rem" />,
)

const KINDS = {
  avatar: { ...texts.avatar, width: 384, height: 384, least: 96 },
  hero: { ...texts.hero, width: 1560, height: 390, least: 780 },
} as const

type PictureFieldProps = {
  kind: keyof typeof KINDS
  /** Shown until another is chosen. */
  current: string | null
  /** Stands for the picture while there is none. */
  name: string
  chosen: Blob | null
  onChosen: (picture: Blob) => void
  error?: string | undefined
}

/** A picture of the profile: what it is now, and another one, cut to its shape before it is sent. */
export function PictureField({ kind, current, name, chosen, onChosen, error }: PictureFieldProps) {
  const { label, hint } = KINDS[kind]
  const [file, setFile] = useState<File | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const preview = useAddress(chosen) ?? current
  return (
    <div className={styles.picture} data-kind={kind}>
      {kind === 'avatar' ? (
        <Avatar src={preview} name={name} size={96} />
      ) : (
        <div className={styles.hero}>{preview && <img src={preview} alt="" />}</div>
      )}
      <div className={styles.pictureWords}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPhotoPlus size={18} stroke={1.75} aria-hidden />}
          onClick={() => input.current?.click()}
          aria-label={texts.choose(label)}
        >
          {label}
        </Button>
        <p className={styles.hint}>{hint}</p>
        <FormError>{error}</FormError>
      </div>
      <input
        ref={input}
        type="file"
        accept=".png,.jpg,.jpeg,.webp"
        hidden
        aria-label={label}
        onChange={(event) => {
          setFile(event.currentTarget.files?.[0] ?? null)
          event.currentTarget.value = ''
        }}
      />
      {file && <CropDialog file={file} kind={kind} onClose={() => setFile(null)} onCut={onChosen} />}
    </div>
  )
}

type CropDialogProps = {
  file: File
  kind: keyof typeof KINDS
  onClose: () => void
  onCut: (picture: Blob) => void
}

function CropDialog({ file, kind, onClose, onCut }: CropDialogProps) {
  const { label, width, height, least } = KINDS[kind]
  const address = useAddress(file)
  const area = useRef<Area>(null)
  const [error, setError] = useState<string>()
  const [isSmall, setSmall] = useState(false)
  const [busy, setBusy] = useState(false)
  const unreadable = () => setError(texts.unreadable)
  const cut = async () => {
    if (!address || !area.current) return
    setBusy(true)
    try {
      onCut(await cutOut(address, area.current, { width, height }))
      onClose()
    } catch {
      unreadable()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog opened onClose={onClose} title={label}>
      <div className={styles.crop}>
        {address && !error && (
          <CropArea
            address={address}
            aspect={width / height}
            round={kind === 'avatar'}
            onArea={(pixels) => {
              area.current = pixels
              setSmall(pixels.width < least)
            }}
            onUnreadable={unreadable}
          />
        )}
        <p role="status">{isSmall && !error && texts.small}</p>
        <FormError>{error}</FormError>
        <div className={styles.cropActions}>
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button onClick={cut} loading={busy} disabled={error !== undefined}>
            {texts.usePicture}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** An address for bytes that only this page has, for as long as they are shown. */
function useAddress(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return setAddress(null)
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
