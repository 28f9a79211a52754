-- What mail servers refuse on their own is kept beside the decisions of policies.
alter table mail_decisions drop constraint mail_decisions_policy_check;
alter table mail_decisions add constraint mail_decisions_policy_check check (policy in
  ('greylist', 'sender', 'submission', 'rate', 'list', 'external', 'invitation', 'booking', 'server'));
