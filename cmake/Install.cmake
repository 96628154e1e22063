# Installing comes with the package configuration file; see tests/e2e for the consumer that uses it.
