import { errorMessage } from '../../lib/api.ts'
import { useBrandName } from '../../lib/config.ts'
import { Button } from '../../ui/core/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import styles from './AgeScreen.module.css'
import { useVisitor } from './visitor.tsx'

const ELSEWHERE = 'https://duckduckgo.com/'

/** The whole screen until the visitor has said to be 18 or older (docs/product.md, Pages and Access). */
export function AgeScreen() {
  const { confirmAge, confirming, confirmError } = useVisitor()
  const brand = useBrandName()
  return (
    <main className={styles.screen}>
      <PageTitle>Are you 18 or older?</PageTitle>
      <div className={styles.box}>
        <Logo />
        <h1 className={styles.question}>Are you 18 or older?</h1>
        <p className={styles.text}>
          {brand} is for adults. Some of what creators show here is not suitable for anyone younger.
        </p>
        <FormError>{confirmError ? errorMessage(confirmError) : null}</FormError>
        <div className={styles.answers}>
          <Button size="lg" onClick={confirmAge} loading={confirming}>
            Yes
          </Button>
          <Button size="lg" variant="default" onClick={() => window.location.assign(ELSEWHERE)}>
            No
          </Button>
        </div>
        <p className={styles.small}>
          Your answer is kept in a cookie on this device, so that we ask only once.
        </p>
      </div>
    </main>
  )
}
