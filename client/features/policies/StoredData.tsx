import styles from './StoredData.module.css'

const STORED = [
  {
    title: 'Your account',
    what: 'Email address and when it was verified, username, first and last name, forum username, a hash of your password, whether you are a creator, who referred you, your referral code, when you confirmed your age or were approved.',
    howLong: 'Until the account is deleted.',
  },
  {
    title: 'Your profile',
    what: 'Photos, the text about you, menu and limits, links, and whom you follow or block.',
    howLong: 'Until you change it or the account is deleted.',
  },
  {
    title: 'Logins',
    what: 'For each device: a hash of its session, the name of the browser, when it started, and when it was last used.',
    howLong: 'Until you log out, or 30 days after the last use.',
  },
  {
    title: 'Two-factor authentication',
    what: 'If you set it up: the encrypted secret of your authenticator app, the public keys of your passkeys with their names, and hashes of your recovery codes.',
    howLong: 'Until you remove them or the account is deleted.',
  },
  {
    title: 'Links in emails',
    what: 'A hash of each link that verifies an address or resets a password.',
    howLong: 'Until it is used or has expired, at most 48 hours.',
  },
  {
    title: 'Media you upload',
    what: 'The photos and videos, their titles, descriptions, tags, prices, and the file name.',
    howLong:
      'Until you delete them, or the account is deleted. Unfinished uploads are deleted automatically after a few days.',
  },
  {
    title: 'Bank details',
    what: 'If you get payouts: account holder, country, and account numbers of your bank, encrypted; you see only the last four.',
    howLong:
      'Until you change them or the account is deleted. The files of payouts that we send to our bank name them too, encrypted, and are kept for 90 days.',
  },
  {
    title: 'What you buy and sell',
    what: 'Item, price, date, buyer, creator, the state of the payment, and its number at the payment company; brand and last four digits of the card, and whether its address and security code matched; subscriptions, earnings, commissions, and payouts.',
    howLong: 'As long as accounting law requires, with “Deleted User” after an account is deleted.',
  },
  {
    title: 'What you view',
    what: 'For each locked item you view: the first and the last time, on how many days, and the part of your address that names your network.',
    howLong: '540 days, for as long as a payment can be disputed with a card’s bank.',
  },
  {
    title: 'A saved card',
    what: 'The payment company’s reference to it, its brand and last four digits.',
    howLong: 'Until you remove it or the account is deleted.',
  },
  {
    title: 'Messages and requests',
    what: 'What you write and send to each other in chats and custom requests, if you use them.',
    howLong: 'Until the account is deleted.',
  },
  {
    title: 'Your forum account',
    what: 'If you connect one: an encrypted permission to post for you, and the posts you plan.',
    howLong: 'Until you disconnect it or the account is deleted.',
  },
  {
    title: 'Identity and consent',
    what: 'If you publish: your records of age and identity, and those of everyone you show.',
    howLong: 'As long as the law requires, even after deletion.',
  },
  {
    title: 'What you report to us',
    what: 'Complaints, removal requests, and appeals go into our mailbox, those from the contact form too, and are not stored here. Our decisions and their reasons go into a log.',
    howLong: 'At least 12 months.',
  },
  {
    title: 'Counters and receipts',
    what: 'Counters of attempts by IP address or account, against abuse; receipts that keep a payment from being made twice.',
    howLong: 'Counters at most a day, receipts 7 days.',
  },
] as const

/** The data stored about people and for how long, one entry for each kind. */
export function StoredData() {
  return (
    <ul className={styles.list}>
      {STORED.map(({ title, what, howLong }) => (
        <li key={title} className={styles.entry}>
          <h3 className={styles.title}>{title}</h3>
          <p>{what}</p>
          <p className={styles.howLong}>
            <span className={styles.label}>How long:</span> {howLong}
          </p>
        </li>
      ))}
    </ul>
  )
}
