import styles from './LoadingScreen.module.css'

/** The whole application while it finds out who is here (core §2.1). */
export function LoadingScreen() {
  return (
    <div className={styles.screen}>
      <output className={styles.text}>Loading...</output>
    </div>
  )
}
