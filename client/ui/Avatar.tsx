import { useEffect, useState } from 'react'
import styles from './Avatar.module.css'

/**
 * A person's picture, or the first letter of their name: also where the picture was replaced since, or isn't there for
 * this viewer, and until the connection is back where it didn't come. Decorative: the name stands beside it.
 */
export function Avatar({ src, name, size = 36 }: { src: string | null; name: string; size?: number }) {
  const [missing, setMissing] = useState<string | null>(null)
  useEffect(() => {
    if (!missing) return
    const retry = () => setMissing(null)
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [missing])
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden>
      {src && src !== missing ? (
        <img
          className={styles.picture}
          src={src}
          alt=""
          width={size}
          height={size}
          onError={() => setMissing(src)}
        />
      ) : (
        name.slice(0, 1).toUpperCase()
      )}
    </span>
  )
}
