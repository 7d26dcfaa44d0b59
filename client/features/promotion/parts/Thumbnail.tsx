import styles from './Thumbnail.module.css'

/** A small picture of what a post shows, which its title says in words; nothing for a link elsewhere. */
export function Thumbnail({ picture }: { picture: { url: string; width: number; height: number } | null }) {
  if (!picture) return null
  const { url, width, height } = picture
  return <img className={styles.thumbnail} src={url} width={width} height={height} alt="" loading="lazy" />
}
