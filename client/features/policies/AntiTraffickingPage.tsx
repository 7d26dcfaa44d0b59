import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { OperatorEmail } from '../../ui/OperatorContact.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** Zero tolerance for trafficking and exploitation (docs/product.md, Pages). */
export function Component() {
  const { brand } = useOperator()
  return (
    <PolicyPage
      title="Anti-trafficking policy"
      lead="Zero tolerance for trafficking and exploitation. Nobody is here because somebody makes them."
      updated="2026-11-21"
      summary={[
        'Accounts involved in trafficking or exploitation are closed, and what we know goes to the authorities.',
        'Every creator is a checked adult who acts for themselves and is paid themselves.',
        'If somebody is in danger now, call your emergency number: 911 in the United States.',
      ]}
      sections={[
        {
          id: 'help',
          title: 'If you need help',
          body: (
            <>
              <p>In danger now? Call your emergency number (911 in the United States, 112 in Europe).</p>
              <p>
                In the United States the National Human Trafficking Hotline answers day and night, in
                confidence: call <a href="tel:+18883737888">1-888-373-7888</a> or text 233733.
              </p>
              <p>
                If somebody forces you to make content, holds your account or takes your earnings, write to{' '}
                <OperatorEmail /> in whatever way is safe for you. We hide your content at once, lock the
                account against the other person, and do nothing beyond that without talking to you, except
                where the law obliges us.
              </p>
            </>
          ),
        },
        {
          id: 'forbidden',
          title: 'What is forbidden',
          body: (
            <>
              <p>On {brand} nobody may, for themselves or for others:</p>
              <ul>
                <li>recruit, move, hold or sell people for sex or labour,</li>
                <li>use force, threats, fraud, debt, drugs or documents to make somebody perform,</li>
                <li>involve anybody under 18 in any way,</li>
                <li>publish somebody who did not freely consent, or who could not,</li>
                <li>run another adult’s account and keep what they earn without their free agreement,</li>
                <li>offer, ask for or arrange sexual services in person,</li>
                <li>pretend to be somebody else to lure people into any of this.</li>
              </ul>
            </>
          ),
        },
        {
          id: 'prevent',
          title: 'What we do to prevent it',
          body: (
            <ul>
              <li>
                Every creator’s identity and age is checked against a document before they publish or sell.
              </li>
              <li>Everybody shown has a record of age and consent, linked to each item.</li>
              <li>Earnings are paid only to the person who was checked.</li>
              <li>
                Content passes automated filters and is looked at by people; see{' '}
                <TextLink to={paths.contentModeration}>content moderation</TextLink>.
              </li>
              <li>
                A changed payout address needs a fresh proof of who is asking, and the old e-mail address is
                told.
              </li>
            </ul>
          ),
        },
        {
          id: 'signs',
          title: 'Signs to look for',
          body: (
            <>
              <p>
                One alone proves nothing; together they are worth a report. A person may be controlled when
                they:
              </p>
              <ul>
                <li>seem afraid, coached, hurt or watched by somebody off camera,</li>
                <li>don’t seem to know what is published or earned in their name,</li>
                <li>have no say over their account, phone or documents,</li>
                <li>look or speak as if they were under 18,</li>
                <li>appear with the same background and the same manager as many others.</li>
              </ul>
            </>
          ),
        },
        {
          id: 'report',
          title: 'How to report',
          body: (
            <p>
              Write to <OperatorEmail /> with “Trafficking” in the subject and the address of the page or the
              username. You may stay anonymous. Don’t confront anybody yourself: it can put them in danger.
              The ordinary deadlines for <TextLink to={paths.complaints}>complaints</TextLink> don’t apply
              here; we look at it as soon as we read it.
            </p>
          ),
        },
        {
          id: 'act',
          title: 'What we do with a report',
          body: (
            <ol>
              <li>Content and account are hidden while we look.</li>
              <li>Records, payments and messages that may be evidence are preserved.</li>
              <li>
                What points to a crime is reported to the authorities, and suspected abuse of minors to the
                bodies that the law names.
              </li>
              <li>Accounts involved are closed for good, with all others of the same people.</li>
              <li>Earnings are held until it is clear whom they belong to.</li>
            </ol>
          ),
        },
        {
          id: 'team',
          title: 'Our own people',
          body: (
            <p>
              Everybody who reviews content or answers reports learns to recognise trafficking before they
              start, and again every year. Nobody is disadvantaged for raising a concern.
            </p>
          ),
        },
      ]}
    />
  )
}
