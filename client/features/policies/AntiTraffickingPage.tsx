import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** Zero tolerance for trafficking and exploitation (docs/product.md, Pages). */
export function Component() {
  const { brand } = useOperator()
  return (
    <PolicyPage
      title="Anti-trafficking policy"
      lead="Zero tolerance for trafficking and exploitation. No one is here because someone else makes them."
      updated="2026-11-29"
      summary={[
        'Accounts involved in trafficking or exploitation are closed, and what we know goes to the authorities.',
        'Every creator is a verified adult who acts for themselves and gets paid themselves.',
        'If someone is in danger now, call your emergency number: 911 in the United States.',
      ]}
      sections={[
        {
          id: 'help',
          title: 'If you need help',
          body: (
            <>
              <p>In danger now? Call your emergency number (911 in the United States, 112 in Europe).</p>
              <p>
                In the United States the National Human Trafficking Hotline is available 24/7 and
                confidential: call <a href="tel:+18883737888">1-888-373-7888</a> or text 233733.
              </p>
              <p>
                If someone forces you to make content, holds your account, or takes your earnings, write to{' '}
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
              <p>On {brand} no one may, for themselves or for others:</p>
              <ul>
                <li>recruit, move, hold, or sell people for sex or labor,</li>
                <li>use force, threats, fraud, debt, drugs, or documents to make someone perform,</li>
                <li>involve anyone under 18 in any way,</li>
                <li>publish someone who did not freely consent, or who could not,</li>
                <li>run another adult’s account and keep what they earn without their free agreement,</li>
                <li>offer, ask for, or arrange sexual services in person,</li>
                <li>pretend to be someone else to lure people into any of this.</li>
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
                We check every creator’s identity and age against a document before they publish or sell.
              </li>
              <li>Everyone shown has an age and consent record linked to each item.</li>
              <li>Earnings are paid only to the person who was checked.</li>
              <li>
                Uploads are compared with files we blocked, and people review what is reported; see{' '}
                <TextLink to={paths.contentModeration}>content moderation</TextLink>.
              </li>
              <li>
                Changing bank details requires re-authentication. We email the account about it, and wait 3
                days before we pay to a new one.
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
                No single sign proves anything, but together they’re worth reporting. A person may be
                controlled if they:
              </p>
              <ul>
                <li>seem afraid, coached, hurt, or watched by someone off camera,</li>
                <li>don’t seem to know what is published or earned in their name,</li>
                <li>have no say over their account, phone, or documents,</li>
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
              username. You may stay anonymous. Don’t confront anyone yourself: it can put them in danger. The
              ordinary deadlines for <TextLink to={paths.complaints}>complaints</TextLink> don’t apply here;
              we act as soon as we read it.
            </p>
          ),
        },
        {
          id: 'act',
          title: 'What we do with a report',
          body: (
            <ol>
              <li>We hide the content and the account while we investigate.</li>
              <li>Records, payments, and messages that may be evidence are preserved.</li>
              <li>
                We report evidence of crimes to the authorities, and suspected abuse of minors to the agencies
                the law names.
              </li>
              <li>Accounts involved are closed for good, with all others of the same people.</li>
              <li>We hold earnings until it’s clear who they belong to.</li>
            </ol>
          ),
        },
        {
          id: 'team',
          title: 'Our own people',
          body: (
            <p>
              Everyone who reviews content or handles reports is trained to recognize trafficking before they
              start, and again every year. No one is penalized for raising a concern.
            </p>
          ),
        },
      ]}
    />
  )
}
