import styles from './LoadingScreen.module.css'
import { stateTexts } from './texts.ts'

/** The whole application while it finds out who is here (docs/product.md, Pages). */
export function LoadingScreen() {
  return (
    <div className={styles.screen}>
      <output className={styles.text}>{stateTexts.loadingPage}</output>
    </div>
  )
}
