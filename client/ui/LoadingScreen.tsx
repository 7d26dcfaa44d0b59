import styles from './LoadingScreen.module.css'
import { stateTexts } from './texts.ts'

/** What the document already showed of its page stays in sight until the page itself stands (http/pages.ts). */
const shown = document.querySelector<HTMLImageElement>('.boot-picture')
const started = { path: location.pathname, src: shown?.src, className: shown?.className }

/** The whole application while it finds out who is here (docs/product.md, Pages). */
export function LoadingScreen() {
  return (
    <>
      {started.src && location.pathname === started.path && (
        <img className={started.className} src={started.src} alt="" />
      )}
      <div className={styles.screen}>
        <output className={styles.text}>{stateTexts.loadingPage}</output>
      </div>
    </>
  )
}
