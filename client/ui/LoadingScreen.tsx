import styles from './LoadingScreen.module.css'

/** What the document already showed of its page stays in sight until the page itself stands (http/pages.ts). */
const shown = document.querySelector<HTMLImageElement>('.boot-picture')
const begun = { path: location.pathname, src: shown?.src, className: shown?.className }

/** The whole application while it finds out who is here (core §2.1). */
export function LoadingScreen() {
  return (
    <>
      {begun.src && location.pathname === begun.path && (
        <img className={begun.className} src={begun.src} alt="" />
      )}
      <div className={styles.screen}>
        <output className={styles.text}>Loading...</output>
      </div>
    </>
  )
}
