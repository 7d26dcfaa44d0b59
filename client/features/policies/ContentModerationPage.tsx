import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** How content is checked: automated filters and human review (docs/product.md, Pages). */
export function Component() {
  return (
    <PolicyPage
      title="Content moderation"
      lead="Machines look first, people decide. What may be here, how it is checked, and what happens when it is not allowed."
      updated="2026-11-29"
      summary={[
        'Every upload is compared with files we blocked, and people review whatever is reported.',
        'Some things are never allowed, no matter who asks or pays.',
        'Every decision has a reason, and you can appeal it.',
      ]}
      sections={[
        {
          id: 'allowed',
          title: 'What may be here',
          body: (
            <p>
              Erotic and sexual content made by adults, with adults, for adults, with everyone’s consent.
              Creators decide what they show and to whom, within this policy and the law.
            </p>
          ),
        },
        {
          id: 'never',
          title: 'What is never allowed',
          body: (
            <ul>
              <li>
                Anyone under 18, or anyone made to look or sound under 18. That includes drawings and photos
                made by a computer.
              </li>
              <li>Anyone who did not consent, could not consent, or withdrew consent.</li>
              <li>Hidden cameras, leaked or stolen material, and faked images of real people.</li>
              <li>Force, real violence, torture, serious injury, rape, or content that pretends to it.</li>
              <li>Trafficking, and the offer of sexual services in person.</li>
              <li>Incest, sex with animals, and sex with the dead.</li>
              <li>Sleep, hypnosis, drugs, or alcohol used to overcome someone’s will.</li>
              <li>Hate, threats, harassment, and other people’s private details.</li>
              <li>Weapons or drugs for sale, fraud, malware, and links to any of these.</li>
              <li>Other people’s work without their permission.</li>
            </ul>
          ),
        },
        {
          id: 'before',
          title: 'Before something is published',
          body: (
            <>
              <p>
                <strong>Who.</strong> Creators prove identity and age before they publish or sell, and every
                person shown has a record of age and consent. See our{' '}
                <TextLink to={paths.recordKeeping}>2257 statement</TextLink>.
              </p>
              <p>
                <strong>Filters.</strong> Each file is validated by what it really is, not by its name. It is
                made again on our side, without hidden data such as places and serial numbers. The fingerprint
                of every photo and video is compared with the files we blocked, and the same file is stopped.
                Profile pictures aren’t compared.
              </p>
              <p>
                <strong>People.</strong> We look at whatever is reported, and write down the decision, the
                time, and the reason.
              </p>
            </>
          ),
        },
        {
          id: 'after',
          title: 'After it is published',
          body: (
            <>
              <p>
                Anyone can report anything, with or without an account. When we read a report about minors,
                missing consent, or trafficking, we hide the item first. From then on no one can open it here,
                us included; what we decide next rests on the report and on what its creator tells us. All
                others follow the deadlines on the <TextLink to={paths.complaints}>complaints</TextLink> page.
              </p>
              <p>
                Files sent in private messages are compared with the files we blocked, too. People on our side
                read them only when one of the two reports them, or when the law requires it.
              </p>
            </>
          ),
        },
        {
          id: 'machines',
          title: 'What machines may decide',
          body: (
            <p>
              A filter may stop an upload. It never hides an item, closes an account, or makes a final
              decision alone. If a filter stopped you by mistake, tell us and a person will review it.
            </p>
          ),
        },
        {
          id: 'consequences',
          title: 'Consequences',
          body: (
            <>
              <p>Depending on how serious it is and whether it has happened before, we:</p>
              <ul>
                <li>ask for a change,</li>
                <li>hide or remove the item,</li>
                <li>stop publishing or selling for a time,</li>
                <li>hold earnings that came from it,</li>
                <li>close the account for good,</li>
                <li>inform the authorities.</li>
              </ul>
              <p>Content that involves minors or trafficking leads straight to the last three.</p>
            </>
          ),
        },
        {
          id: 'appeals',
          title: 'If you disagree',
          body: (
            <p>
              We tell you what we decided and why. Within 5 business days, you can appeal on the page of the
              item, or write to <OperatorEmail />. Whenever possible, someone else decides the appeal, within
              5 business days. If we were wrong, we restore the item right away.
            </p>
          ),
        },
        {
          id: 'accountability',
          title: 'Keeping ourselves honest',
          body: (
            <p>
              Every decision is logged with who, what, when, and why. The log can’t be edited and is kept for
              at least 12 months.
            </p>
          ),
        },
      ]}
    />
  )
}
