import styles from './Avatar.module.css'

/** A person's picture, or the first letter of their name. Decorative: the name stands beside it. */
export function Avatar({ src, name, size = 36 }: { src: string | null; name: string; size?: number }) {
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden>
      {src ? (
        <img className={styles.picture} src={src} alt="" width={size} height={size} />
      ) : (
        name.slice(0, 1).toUpperCase()
      )}
    </span>
  )
}
