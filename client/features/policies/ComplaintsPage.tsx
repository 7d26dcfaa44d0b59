import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** How complaints are made and decided, with their deadlines (docs/product.md, Limits). */
export function Component() {
  return (
    <PolicyPage
      title="Complaints"
      lead="Tell us what’s wrong. You’ll get an answer by a set date, and someone else will take a second look if you disagree."
      updated="2026-11-29"
      summary={[
        'Anyone can complain. You don’t need an account.',
        'We acknowledge a complaint within 2 business days and resolve it within 7.',
        'You can appeal within 5 business days; the appeal is decided within 5.',
      ]}
      sections={[
        {
          id: 'how',
          title: 'How to complain',
          body: (
            <>
              <p>
                Use our <TextLink to={paths.contact}>contact form</TextLink>, which gives you a case number,
                or write to <OperatorEmail /> with “Complaint” in the subject. Tell us:
              </p>
              <ul>
                <li>where it is: the address of the page, the username, or both,</li>
                <li>what is wrong with it,</li>
                <li>what you would like us to do,</li>
                <li>how we can reach you. Your name is optional.</li>
              </ul>
              <p>
                Please don’t attach the photos or videos that you complain about. The address of the page is
                enough, and never send anything that shows someone under 18.
              </p>
            </>
          ),
        },
        {
          id: 'urgent',
          title: 'What can’t wait',
          body: (
            <>
              <p>Some reports come first, and we act on them before we ask questions:</p>
              <ul>
                <li>
                  <strong>Someone under 18.</strong> We hide the content as soon as we read the report,
                  preserve it as evidence where no one can browse it, and pass it to the authorities.
                </li>
                <li>
                  <strong>Intimate images without consent.</strong> Hidden as soon as we read the report and
                  removed within 48 hours, with the identical copies we know of. See{' '}
                  <TextLink to={paths.removal}>content removal</TextLink>.
                </li>
                <li>
                  <strong>Trafficking, force, or threats.</strong> See our{' '}
                  <TextLink to={paths.antiTrafficking}>anti-trafficking policy</TextLink>. If someone is in
                  danger now, call the police first.
                </li>
              </ul>
            </>
          ),
        },
        {
          id: 'deadlines',
          title: 'What happens, and by when',
          body: (
            <table>
              <thead>
                <tr>
                  <th scope="col">Step</th>
                  <th scope="col">At the latest</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">We acknowledge your complaint</th>
                  <td>2 business days after it arrives</td>
                </tr>
                <tr>
                  <th scope="row">We decide it and tell you why</th>
                  <td>7 business days after it arrives</td>
                </tr>
                <tr>
                  <th scope="row">You may appeal</th>
                  <td>5 business days after the decision</td>
                </tr>
                <tr>
                  <th scope="row">We decide the appeal</th>
                  <td>5 business days after it arrives</td>
                </tr>
                <tr>
                  <th scope="row">Non-consensual intimate images are removed</th>
                  <td>48 hours after the report</td>
                </tr>
              </tbody>
            </table>
          ),
        },
        {
          id: 'decisions',
          title: 'How we decide',
          body: (
            <>
              <p>
                A person reads the complaint, looks at the content and its records, and asks the creator for
                their side when that puts no one at risk. We don’t tell the creator who complained.
              </p>
              <p>
                We may leave the content as it is, ask for a change, hide it, remove it, refund buyers, or
                close an account. We tell you and the creator what we did and which rule applies.
              </p>
            </>
          ),
        },
        {
          id: 'appeals',
          title: 'Appeals',
          body: (
            <p>
              Both sides may appeal within 5 business days: reply to the decision, or, if it’s about an item
              of yours, appeal on its page, and tell us what we overlooked. Whenever possible, someone who
              didn’t make the first decision makes the second. We decide within 5 business days, and that
              decision is final. Your right to go to court isn’t affected.
            </p>
          ),
        },
        {
          id: 'depicted',
          title: 'You’re in it and didn’t agree',
          body: (
            <p>
              If you can be recognized in something here and didn’t consent to it, or no longer do, you can
              have it removed. Find out how on the <TextLink to={paths.removal}>content removal</TextLink>{' '}
              page. If consent can’t be shown, we remove the content.
            </p>
          ),
        },
        {
          id: 'records',
          title: 'What we keep',
          body: (
            <p>
              We keep complaints in our mailbox, and each decision with its reason in a log that can’t be
              edited, for at least 12 months. They’re seen only by those who decide complaints, and by
              authorities and payment companies that have a right to it.
            </p>
          ),
        },
      ]}
    />
  )
}
