import { useState } from 'react'
import { errorMessage } from '../../lib/api.ts'
import { useBrandName } from '../../lib/config.ts'
import { FormError } from '../../ui/FormError.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { ELSEWHERE, questionTexts } from './question-texts.ts'
import { useVisitor } from './visitor.tsx'

/**
 * The whole screen until the visitor has said to be 18 or older (docs/product.md, Pages and Access). It takes the place
 * of the one that the document brought (client/build/first-look.ts), which looks the same and works without it.
 */
export function AgeScreen() {
  const { confirmAge, confirming, confirmError } = useVisitor()
  const brand = useBrandName()
  const [focused] = useState(() => document.activeElement?.closest('[data-first-look]')?.className === 'gate')
  return (
    <main className="gate">
      <PageTitle>{questionTexts.question}</PageTitle>
      <div className="gate-box">
        <Logo />
        <h1 className="gate-question">{questionTexts.question}</h1>
        <p className="gate-text">{questionTexts.about.replace('{{brand}}', brand)}</p>
        <FormError>{confirmError ? errorMessage(confirmError) : null}</FormError>
        <form
          method="post"
          className="gate-answers"
          onSubmit={(event) => {
            event.preventDefault()
            confirmAge()
          }}
        >
          {/* biome-ignore lint/a11y/noAutofocus: the focus was on the document's button. */}
          <button type="submit" className="gate-yes" disabled={confirming} autoFocus={focused}>
            {questionTexts.yes}
          </button>
          <a className="gate-no" href={ELSEWHERE} rel="noreferrer">
            {questionTexts.no}
          </a>
        </form>
        <p className="gate-small">{questionTexts.kept}</p>
      </div>
    </main>
  )
}
