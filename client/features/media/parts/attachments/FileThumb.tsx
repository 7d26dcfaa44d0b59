import { IconMovie, IconPhoto } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import styles from './FileThumb.module.css'

/** A file's picture as the browser shows it before it is sent, or a sign where it can't. */
export function FileThumb({ file, fileName }: { file: File | undefined; fileName: string }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  const Icon = /\.(mp4|mov)$/i.test(fileName) ? IconMovie : IconPhoto
  return (
    <span className={styles.thumb} aria-hidden>
      {address ? (
        <img src={address} alt="" loading="lazy" decoding="async" onError={() => setAddress(null)} />
      ) : (
        <Icon size={22} stroke={1.5} />
      )}
    </span>
  )
}
