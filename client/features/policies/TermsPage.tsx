import { TERMS_VERSION } from '../../../contract/constants.ts'
import { useOperator } from '../../lib/operator.ts'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'
import { termsOfContent } from './terms-content.tsx'
import { termsForEverybody } from './terms-everybody.tsx'
import { termsOfMoney } from './terms-money.tsx'

/** The terms, at /terms-and-conditions and at /terms. */
export function Component() {
  const { brand, operator } = useOperator()
  return (
    <PolicyPage
      title="Terms and conditions"
      lead={`What you agree to when you use ${brand}.`}
      updated={TERMS_VERSION}
      summary={[
        'You must be 18 or older, and so must everyone you show.',
        'What you buy is for personal use. What you create stays yours.',
        'Prices are shown in full before you pay. Subscriptions renew at the end of each term until you cancel, in one click.',
        'Sales are final, except where the law says otherwise.',
      ]}
      sections={[
        {
          id: 'agreement',
          title: 'The agreement',
          body: (
            <>
              <p>
                These terms are a contract between you and {operator} (“we”), the operator of this site. By
                confirming your age, creating an account, or buying something, you accept them, together with
                the policies they link to. If you don’t agree, please don’t use the site.
              </p>
              <p>
                Creators sell to you through us. We run the site, take the payment, and pay creators their
                share.
              </p>
            </>
          ),
        },
        ...termsForEverybody(brand),
        ...termsOfMoney,
        ...termsOfContent,
        {
          id: 'liability',
          title: 'Liability',
          body: (
            <>
              <p>
                We run the site with care, but we can’t promise that it’s always available or free of errors.
                Creators are responsible for what they publish and promise.
              </p>
              <p>
                As far as the law allows, we are not liable for indirect damage or lost profit, and our
                liability is limited to what you paid us in the 12 months before. Nothing here limits
                liability that the law doesn’t let us limit, such as for intent, gross negligence, or injury.
              </p>
            </>
          ),
        },
        {
          id: 'changes',
          title: 'Changes to these terms',
          body: (
            <p>
              We may change these terms. The date at the top shows when. We’ll email you about significant
              changes at least 30 days before they apply. If you don’t agree, you can close your account
              before then. Prices you already subscribed at don’t change.
            </p>
          ),
        },
        {
          id: 'law',
          title: 'Law and disputes',
          body: (
            <p>
              The law of the place where {operator} is established applies, without limiting the consumer
              protections of the place where you live. Please write to <OperatorEmail /> first; most
              disagreements end there. If one part of these terms isn’t valid, the rest still applies.
            </p>
          ),
        },
      ]}
    />
  )
}
