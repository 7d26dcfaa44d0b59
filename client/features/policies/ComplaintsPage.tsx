import { paths } from '../../lib/paths.ts'
import { OperatorEmail } from '../../ui/OperatorContact.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** How complaints are made and decided, with their deadlines (docs/product.md, Limits). */
export function Component() {
  return (
    <PolicyPage
      title="Complaints"
      lead="Tell us what is wrong. You get an answer with a date on it, and somebody else looks again if you disagree."
      updated="2026-11-21"
      summary={[
        'Anybody can complain. You need no account.',
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
                Write to <OperatorEmail /> with “Complaint” in the subject, and tell us:
              </p>
              <ul>
                <li>where it is: the address of the page, the username, or both,</li>
                <li>what is wrong with it,</li>
                <li>what you would like us to do,</li>
                <li>how we can reach you. Your name is optional.</li>
              </ul>
              <p>
                Please don’t attach the pictures or videos that you complain about. The address of the page is
                enough, and never send anything that shows somebody under 18.
              </p>
            </>
          ),
        },
        {
          id: 'urgent',
          title: 'What can’t wait',
          body: (
            <>
              <p>Some reports go before all others, and we act on them before we ask questions:</p>
              <ul>
                <li>
                  <strong>Somebody under 18.</strong> The content is taken out of sight the moment it is
                  reported, kept as evidence where nobody can browse it, and passed to the authorities.
                </li>
                <li>
                  <strong>Intimate images without consent.</strong> Hidden at once and removed within 48
                  hours, identical copies included. See{' '}
                  <TextLink to={paths.removal}>content removal</TextLink>.
                </li>
                <li>
                  <strong>Trafficking, force or threats.</strong> See our{' '}
                  <TextLink to={paths.antiTrafficking}>anti-trafficking policy</TextLink>. If somebody is in
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
                A person reads the complaint, looks at the content and its records, and hears the creator
                where that puts nobody at risk. The creator is not told who complained.
              </p>
              <p>
                We may leave the content as it is, ask for a change, hide it, remove it, pay back buyers, or
                close an account. You and the creator are told what we did and which rule it rests on.
              </p>
            </>
          ),
        },
        {
          id: 'appeals',
          title: 'Appeals',
          body: (
            <p>
              Both sides may appeal within 5 business days: answer the decision and say what we overlooked.
              Where we can, somebody who did not take the first decision takes the second. It is made within 5
              business days and is our last word. Your rights before a court stay as they are.
            </p>
          ),
        },
        {
          id: 'depicted',
          title: 'You are in it and did not agree',
          body: (
            <p>
              If you can be recognised in something here and did not consent to it, or no longer do, you can
              have it removed. The way is on the <TextLink to={paths.removal}>content removal</TextLink> page.
              If consent can’t be shown, the content goes.
            </p>
          ),
        },
        {
          id: 'records',
          title: 'What we keep',
          body: (
            <p>
              Every complaint, each step we took and the reason for the decision stay in a log that can’t be
              edited, for at least 12 months. It is seen only by those who decide complaints, and by
              authorities and payment companies that have a right to it.
            </p>
          ),
        },
      ]}
    />
  )
}
