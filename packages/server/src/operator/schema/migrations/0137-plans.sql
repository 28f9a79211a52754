-- Plans for the desired state of an account are batches.
alter table batches drop constraint batches_kind_check;
alter table batches add constraint batches_kind_check check (kind in ('bulk', 'import', 'plan')) not valid;
alter table batches validate constraint batches_kind_check;
